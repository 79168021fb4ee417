import jstat from 'jstat';

export interface Sample {
  n: number;
  mean: number;
  /** The variance of the population, estimated from the sample. */
  variance: number;
}

export function summarise(values: readonly number[]): Sample {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { n, mean, variance: n > 1 ? squares / (n - 1) : Number.NaN };
}

/**
 * The 95 % interval of the difference of two means (a minus b) by Welch: unequal variances, and
 * Student's t with the degrees of freedom of Welch and Satterthwaite. Null when neither sample
 * varies, because chance cannot be measured then.
 */
export function welchInterval(a: Sample, b: Sample): { low: number; high: number } | null {
  const [shareA, shareB] = [a.variance / a.n, b.variance / b.n];
  const squaredError = shareA + shareB;
  if (!(squaredError > 0)) return null;
  const freedom = squaredError ** 2 / (shareA ** 2 / (a.n - 1) + shareB ** 2 / (b.n - 1));
  const reach = studentQuantile975(freedom) * Math.sqrt(squaredError);
  const difference = a.mean - b.mean;
  return { low: difference - reach, high: difference + reach };
}

/** The 97.5 % quantile of Student's t, for any degrees of freedom of 1 or more, to six digits. */
export function studentQuantile975(freedom: number): number {
  return jstat.studentt.inv(0.975, freedom);
}
