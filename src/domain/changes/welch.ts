export interface Sample {
  n: number;
  mean: number;
  /** Of the population, estimated from the sample. */
  variance: number;
}

export function summarise(values: readonly number[]): Sample {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { n, mean, variance: n > 1 ? squares / (n - 1) : Number.NaN };
}

/**
 * The 95 % interval of the difference of two means (a less b) by Welch: unequal spreads, Student's t with the degrees of freedom of
 * Welch and Satterthwaite. Null when neither sample varies: then there is nothing to judge chance by.
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

/** The 97.5 % quantile of Student's t, for any degrees of freedom of 1 or more: bisection of its distribution, exact to 1e-9. */
export function studentQuantile975(freedom: number): number {
  let [low, high] = [1.9, 13];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (tailOfStudent(middle, freedom) > 0.025) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(T > t) for t > 0, by the regularised incomplete beta function. */
function tailOfStudent(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

/** I_x(a, b) by its continued fraction (modified Lentz), which converges fast on the side it is used on. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) /
    a;
  const tiny = 1e-300;
  let [c, d] = [1, 1 - ((a + b) * x) / (a + 1)];
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let fraction = d;
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let delta = 1;
    for (const term of [even, odd]) {
      d = 1 + term * d;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = 1 + term / c;
      c = Math.abs(c) < tiny ? tiny : c;
      delta = c * d;
      fraction *= delta;
    }
    if (Math.abs(delta - 1) < 1e-14) break;
  }
  return front * fraction;
}

/** ln Γ(x) for x > 0, by Lanczos' approximation. */
function logGamma(x: number): number {
  const weights = [
    76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155,
    0.001208650973866179, -0.000005395239384953,
  ];
  const base = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  const series = weights.reduce(
    (sum, weight, index) => sum + weight / (x + 1 + index),
    1.000000000190015,
  );
  return -base + Math.log((2.506628274631 * series) / x);
}
