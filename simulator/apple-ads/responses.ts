export interface AdsRequest {
  method: string;
  host: string;
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

export interface AdsResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The connection ends in the middle of the body. */
  isTruncated?: boolean;
  /** There is no response. */
  isHanging?: boolean;
}

export const reply = (
  body: object,
  headers: Record<string, string> = {},
  status = 200,
): AdsResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const deny = (status: number, code: string, message: string): AdsResponse =>
  reply({ error: { code, message, details: [{ code, message }] } }, {}, status);

export const limited = (seconds: number): AdsResponse => {
  const made = deny(429, 'RATE_LIMIT_EXCEEDED', 'rate_limit_exceeded');
  return { ...made, headers: { ...made.headers, 'retry-after': String(seconds) } };
};
