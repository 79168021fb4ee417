import { fileURLToPath } from 'node:url';
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** How each client reads what was copied for it, with the token from its own place. */
const readers: Record<string, (text: string, token: string) => Transport> = {
  claudeCode: (text, token) =>
    overHttp(
      /'(http[^']+)'/.exec(text)![1]!,
      /--header "Authorization: (.+)"/.exec(text)![1]!.replace('$TOPRUNG_TOKEN', token),
    ),
  claudeDesktop: (text, token) => {
    const { command, args, env } = JSON.parse(
      text.replaceAll('/path/to/toprung', root).replace('toprung_YOUR_TOKEN', token),
    ).mcpServers.toprung;
    return new StdioClientTransport({
      command,
      args,
      env: { PATH: process.env.PATH ?? '', ...env },
    });
  },
  cursor: (text, token) => {
    const { url, headers } = JSON.parse(text.replace('${env:TOPRUNG_TOKEN}', token)).mcpServers
      .toprung;
    return overHttp(url, headers.Authorization);
  },
  vscode: (text, token) => {
    const { url, headers } = JSON.parse(text.replace('${input:toprung-token}', token)).servers
      .toprung;
    return overHttp(url, headers.Authorization);
  },
  codex: (text, token) =>
    overHttp(
      /^url = "(.+)"$/m.exec(text)![1]!,
      /= "TOPRUNG_TOKEN"/.test(text) ? `Bearer ${token}` : '',
    ),
};

const overHttp = (url: string, authorization: string) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } });

/** The response of list_apps to each AI client that was configured with its snippet, by name. */
export async function connectAiClients(
  read: (id: string) => Promise<string | null>,
  token: string,
): Promise<Record<string, string>> {
  const responses: Record<string, string> = {};
  for (const [id, open] of Object.entries(readers)) {
    const client = new Client({ name: id, version: '1' });
    await client.connect(open((await read(id)) ?? '', token));
    const [first] = (await client.callTool({ name: 'list_apps', arguments: {} })).content;
    responses[id] = first?.type === 'text' ? /^\d+ apps/.exec(first.text)![0] : '';
    await client.close();
  }
  return responses;
}
