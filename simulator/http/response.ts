/** A store's response before faults and compression. */
export interface SimulatedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The compressed body, once it was requested. */
  gzipped?: Buffer;
}

export const contentTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  png: 'image/png',
} as const;

export function respond(
  status: number,
  type: keyof typeof contentTypes,
  body: string | Buffer,
): SimulatedResponse {
  return {
    status,
    headers: { 'content-type': contentTypes[type] },
    body: Buffer.from(body as string),
  };
}
