/** Lets one at a time through, in order of arrival. */
export type Lane = {
  /** Undefined: it was free and is now the caller's. */
  readonly enter: () => Promise<void> | undefined;
  readonly leave: () => void;
};

export function lane(): Lane {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    enter: () => {
      if (taken) {
        return new Promise((resolve) => {
          waiting.push(resolve);
        });
      }
      taken = true;
      return undefined;
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) {
        taken = false;
      } else {
        next();
      }
    },
  };
}
