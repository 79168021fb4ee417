import type { PlanInterval, PlanName } from '../contract/choices.ts';

export type { PlanInterval, PlanName };

/** Where a customer stands with the payment provider, as of when it was asked. */
export interface Subscription {
  id: string;
  /** `running`: paid for, or payment is being tried again; `ended`: ran once; `unbegun`: its first payment never came. */
  standing: 'running' | 'ended' | 'unbegun';
  /** Null when it is for a price that this instance does not know. */
  plan: PlanName | null;
}

export interface PaymentEvent {
  id: string;
  type: string;
  /** Whose subscription may be another after it; null when nobody's is. */
  customer: string | null;
}

/** Sells plans. What asks the provider throws PaymentError when there is no usable answer within 4.5 seconds. */
export interface Payments {
  /** For how long a plan can be bought; none when it is not sold. */
  intervalsOf(plan: PlanName): PlanInterval[];
  /** Answers the new customer's id. */
  createCustomer(customer: { workspaceId: number; email: string }): Promise<string>;
  /** The address of a page on which the plan is paid for. The interval must be one of `intervalsOf`. */
  checkout(order: {
    customer: string;
    workspaceId: number;
    plan: PlanName;
    interval: PlanInterval;
    successUrl: string;
    cancelUrl: string;
  }): Promise<string>;
  /** The address of a page with the customer's plan, invoices and cards. */
  portal(visit: { customer: string; returnUrl: string }): Promise<string>;
  /** Null when the provider did not sign exactly these bytes within the last 300 seconds. */
  readEvent(sent: { body: Uint8Array; signature: string; at: Date }): Promise<PaymentEvent | null>;
  /** Ends what the customer pays for, at once, and has the provider forget it. */
  forget(customer: string): Promise<void>;
  /** Null for a customer who never had one. */
  readSubscription(customer: string): Promise<Subscription | null>;
}

/** `unknown_customer`: the provider has no such customer, or has none any more. */
export class PaymentError extends Error {
  readonly failure: 'unavailable' | 'unknown_customer';

  constructor(failure: PaymentError['failure'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentError';
    this.failure = failure;
  }
}
