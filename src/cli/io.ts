/** A stream that text is written to. */
export type Output = {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  /** Width in characters, if it has one. */
  readonly columns: number | undefined;
};

/** Everything the program touches of the process it runs in. */
export type Io = {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: { readonly [name: string]: string | undefined };
  /** Absolute; every relative path is meant from here. */
  readonly cwd: string;
  /** Aborted, with the signal's name as its reason, when the program is to end early. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
};
