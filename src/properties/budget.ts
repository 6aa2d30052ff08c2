/** A method of the port took longer than it may. */
export class Overrun extends Error {
  constructor(
    readonly method: string,
    readonly budgetMs: number,
  ) {
    super(
      `${method} did not answer within ${budgetMs} ms; the executor or its adapter is stuck there ` +
        "(raise the budget if it is merely slow)",
    );
  }
}

export type Budget = {
  /** The answer of `work`, or a rejection with `Overrun` once the budget is spent. */
  readonly within: <Answer>(method: string, work: () => Promise<Answer>) => Promise<Answer>;
  readonly close: () => void;
};

/**
 * One wait at a time, each with the same budget. A single slow timer watches them all, so that a wait that is
 * short costs none; an overrun is noticed up to a quarter of the budget late.
 */
export function createBudget(budgetMs: number): Budget {
  let waiting:
    | { readonly method: string; readonly until: number; readonly reject: (error: Error) => void }
    | undefined;
  const timer = setInterval(
    () => {
      if (waiting === undefined || performance.now() < waiting.until) return;
      waiting.reject(new Overrun(waiting.method, budgetMs));
      waiting = undefined;
    },
    Math.max(1, budgetMs / 4),
  );
  return {
    within: (method, work) =>
      new Promise((resolve, reject) => {
        waiting = { method, until: performance.now() + budgetMs, reject };
        work().then(
          (answer) => {
            waiting = undefined;
            resolve(answer);
          },
          (error: unknown) => {
            waiting = undefined;
            reject(error);
          },
        );
      }),
    close: () => clearInterval(timer),
  };
}
