const json = (value: object): string => JSON.stringify(value, null, 2);

/**
 * The configuration of each AI client for this address. Cursor and Codex read the token from the
 * environment, VS Code asks for it, Claude Desktop has it in its file, and for Claude Code the
 * shell inserts it.
 */
export function createMcpSnippets(origin: string) {
  const url = `${origin}/mcp`;
  const authorization = 'Bearer ${env:TOPRUNG_TOKEN}';
  const program = {
    command: '/path/to/toprung/node_modules/.bin/node',
    args: ['/path/to/toprung/src/cli/main.js', 'mcp'],
  };
  const question = {
    id: 'toprung-token',
    type: 'promptString',
    description: 'TOPRUNG_TOKEN',
    password: true,
  };
  const vscode = { type: 'http', url, headers: { Authorization: 'Bearer ${input:toprung-token}' } };
  return [
    [
      'claudeCode',
      `claude mcp add --transport http toprung '${url}' \\\n  --header "Authorization: ` +
        'Bearer $TOPRUNG_TOKEN"',
    ],
    [
      'claudeDesktop',
      json({
        mcpServers: {
          toprung: {
            ...program,
            env: { TOPRUNG_URL: origin, TOPRUNG_TOKEN: 'toprung_YOUR_TOKEN' },
          },
        },
      }),
    ],
    [
      'cursor',
      json({ mcpServers: { toprung: { url, headers: { Authorization: authorization } } } }),
    ],
    ['vscode', json({ inputs: [question], servers: { toprung: vscode } })],
    ['codex', `[mcp_servers.toprung]\nurl = "${url}"\nbearer_token_env_var = "TOPRUNG_TOKEN"`],
  ] as const;
}
