declare module 'jstat' {
  const jstat: {
    binomial: { cdf(successes: number, trials: number, probability: number): number };
    median(values: number[]): number;
    /** Ranks from 1; equal values have the mean of theirs. */
    rank(values: number[]): number[];
    spearmancoeff(a: number[], b: number[]): number;
    studentt: {
      /** The quantile of a probability: `inv(0.975, 10)` is 2.228. */
      inv(probability: number, degreesOfFreedom: number): number;
    };
  };
  export default jstat;
}
