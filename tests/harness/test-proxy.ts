/** A reverse proxy in front of the product. */
export interface TestProxy {
  /** Trusts the certificate of `localhost`. */
  ca: string;
  stop(): Promise<void>;
}
