/** One call of a batchexecute body. */
export interface RpcCall {
  rpc: string;
  argument: unknown;
  tag: string;
}

const maxCalls = 64;

/** Reads the form field f.req; null for a body that the store answers with 400. */
export function readCalls(body: string): RpcCall[] | null {
  try {
    const [calls] = JSON.parse(new URLSearchParams(body).get('f.req') ?? 'null') as [unknown[][]];
    if (calls.length === 0 || calls.length > maxCalls) return null;
    return calls.map((call) => {
      const argument = JSON.parse(String(call[1])) as unknown;
      return {
        rpc: String(call[0]),
        argument,
        tag: typeof call[3] === 'string' ? call[3] : 'generic',
      };
    });
  } catch {
    return null;
  }
}
