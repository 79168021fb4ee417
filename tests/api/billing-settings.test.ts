import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRuntime } from '#boot/services.ts';
import { readConfig } from '#config/env.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startStripeStub, webhookSecret, type StripeStub } from '../harness/stripe-stub.ts';

const whole = {
  BILLING_ENABLED: 'true',
  STRIPE_SECRET_KEY: 'sk_test_stand_in',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PRICES: 'indie:month=price_1, indie:month=price_0,ultimate:year=price_2',
};

describe('the settings of payments', () => {
  test('are parsed as prices of plans and intervals', () => {
    expect(readConfig(whole).STRIPE_PRICES).toEqual([
      { plan: 'indie', interval: 'month', price: 'price_1' },
      { plan: 'indie', interval: 'month', price: 'price_0' },
      { plan: 'ultimate', interval: 'year', price: 'price_2' },
    ]);
    expect(readConfig({})).toMatchObject({
      STRIPE_SECRET_KEY: null,
      STRIPE_WEBHOOK_SECRET: null,
      STRIPE_PRICES: [],
      STRIPE_BASE_URL: null,
    });
  });

  test.each([
    [
      'the API key alone',
      { ...whole, STRIPE_WEBHOOK_SECRET: '' },
      'STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is',
    ],
    [
      'the webhook secret alone',
      { ...whole, STRIPE_SECRET_KEY: '' },
      'STRIPE_SECRET_KEY must be set when STRIPE_WEBHOOK_SECRET is',
    ],
    [
      'no plans',
      { ...whole, BILLING_ENABLED: 'false' },
      'BILLING_ENABLED must be true when Stripe’s keys are set',
    ],
    [
      'no prices',
      { ...whole, STRIPE_PRICES: '' },
      'STRIPE_PRICES must name a price when Stripe’s keys are set',
    ],
    [
      'an unknown plan',
      { ...whole, STRIPE_PRICES: 'indie:month=price_1,pro:month=price_2' },
      'pro:month=price_2 is not one',
    ],
    [
      'an unknown interval',
      { ...whole, STRIPE_PRICES: 'indie:week=price_1' },
      'indie:week=price_1 is not one',
    ],
    [
      'a product instead of a price',
      { ...whole, STRIPE_PRICES: 'indie:month=prod_1' },
      'indie:month=prod_1 is not one',
    ],
    [
      'a duplicate price',
      { ...whole, STRIPE_PRICES: 'indie:month=price_1,ultimate:month=price_1' },
      'STRIPE_PRICES must be without a duplicate price: price_1',
    ],
    [
      'a publishable key',
      { ...whole, STRIPE_SECRET_KEY: 'pk_live_x' },
      'STRIPE_SECRET_KEY must be a secret or restricted key of Stripe',
    ],
    [
      'an invalid secret',
      { ...whole, STRIPE_WEBHOOK_SECRET: 'sk_live_x' },
      'STRIPE_WEBHOOK_SECRET must be a signing secret of Stripe',
    ],
    [
      'an address with a path',
      { ...whole, STRIPE_BASE_URL: 'http://127.0.0.1:1/v1' },
      'STRIPE_BASE_URL must be an address of scheme, host and port only',
    ],
  ])('with %s stop the start with a message that reveals no secret', (_what, environment, said) => {
    const read = () => readConfig(environment);
    expect(read).toThrow(said);
    expect(read).not.toThrow(/pk_live|sk_live|sk_test/);
  });
});

describe('the process', () => {
  let db: TestDatabase;
  let stripe: StripeStub;
  beforeAll(async () => {
    [db, stripe] = [await createTestDatabase(), await startStripeStub()];
  });
  afterAll(async () => {
    await stripe.close();
    await db.drop();
  });

  test('sells what the settings name, with their key and address, else nothing', async () => {
    const open = (environment: Record<string, string>) =>
      createRuntime({
        config: readConfig(environment),
        database: { urlOf: () => db.url },
        log: silentLogger,
      });
    const selling = await open({ ...whole, STRIPE_BASE_URL: stripe.url });
    const payments = selling.services.payments!;
    expect([payments.intervalsOf('indie'), payments.intervalsOf('ultimate')]).toEqual([
      ['month'],
      ['year'],
    ]);
    const customer = await payments.createCustomer({ workspaceId: 1, email: 'ann@example.org' });
    const order = {
      customer,
      workspaceId: 1,
      successUrl: 'http://aso.test/done',
      cancelUrl: 'http://aso.test/not',
    };
    expect(await payments.checkout({ ...order, plan: 'indie', interval: 'month' })).toContain(
      'checkout.stripe.test',
    );
    expect(stripe.asked.at(-1)!.fields['line_items[0][price]']).toBe('price_1');
    await selling.close();
    const other = await open({ BILLING_ENABLED: 'true' });
    expect(other.services.payments).toBeNull();
    await other.close();
  });
});
