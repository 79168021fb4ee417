import { address, list } from './parsers.ts';

export interface PaymentSettings {
  BILLING_ENABLED: boolean;
  STRIPE_SECRET_KEY: string | null;
  STRIPE_WEBHOOK_SECRET: string | null;
  /** Null when it could not be read. */
  STRIPE_PRICES: readonly object[] | null;
}

const planPrice = /^(indie|ultimate):(month|year)=(price_\w+)$/;

export function prices(
  value: string,
): { plan: 'indie' | 'ultimate'; interval: 'month' | 'year'; price: string }[] {
  const read = list(value).map((item) => {
    const [, plan, interval, price] = planPrice.exec(item) ?? [];
    if (price === undefined)
      throw new Error(
        `made of items like indie:month=price_1, separated by commas; ${item.slice(0, 60)} ` +
          'is not one',
      );
    return { plan: plan as 'indie' | 'ultimate', interval: interval as 'month' | 'year', price };
  });
  const twice = read.find(
    ({ price }, at) => read.findIndex((other) => other.price === price) !== at,
  );
  if (twice) throw new Error(`without a duplicate price: ${twice.price}`);
  return read;
}

export function stripeKey(shape: RegExp, meaning: string) {
  return (value: string): string => {
    if (!shape.test(value)) throw new Error(meaning);
    return value;
  };
}

export function origin(value: string): string {
  const url = address('http:', 'https:')(value);
  if (new URL(url).origin !== url) throw new Error('an address of scheme, host and port only');
  return url;
}

/** Errors that concern several payment settings together. */
export function findPaymentSettingErrors({
  STRIPE_SECRET_KEY: key,
  STRIPE_WEBHOOK_SECRET: secret,
  STRIPE_PRICES: sold,
  BILLING_ENABLED: billing,
}: PaymentSettings): string[] {
  if (key === null && secret === null) return [];
  return [
    ...(key === null ? ['STRIPE_SECRET_KEY must be set when STRIPE_WEBHOOK_SECRET is'] : []),
    ...(secret === null ? ['STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is'] : []),
    ...(sold?.length === 0 ? ['STRIPE_PRICES must name a price when Stripe’s keys are set'] : []),
    ...(billing ? [] : ['BILLING_ENABLED must be true when Stripe’s keys are set']),
  ];
}
