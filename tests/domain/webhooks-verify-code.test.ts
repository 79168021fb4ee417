import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSecret } from '#domain/alerting/webhooks/secrets.ts';
import { signatureHeaders } from '#domain/alerting/webhooks/signature-headers.ts';
import { withoutTrailing } from '#lib/text.ts';
import { verifyCode, type VerifyLanguage } from '#web/pages/alerts/webhooks/verify-code.ts';

interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Reads messages from the standard input, and prints for each whether it is from us. */
const programs: Record<
  VerifyLanguage,
  { command: string[]; file: string; code: string; more?: Record<string, string> }
> = {
  node: {
    command: [process.execPath, 'main.mjs'],
    file: 'main.mjs',
    code: `${verifyCode.node}
import { readFileSync } from 'node:fs';
const isOurs = ({ headers, body }) => { try { verify(headers,
  body); return true; } catch { return false; } };
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(isOurs)));`,
  },
  python: {
    command: ['python3', 'main.py'],
    file: 'main.py',
    code: `${verifyCode.python}
import sys
def is_ours(message):
    try:
        verify(message["headers"], message["body"].encode())
        return True
    except ValueError:
        return False
print(json.dumps([is_ours(message) for message in json.load(sys.stdin)]))`,
  },
  go: {
    command: ['go', 'run', '.'],
    file: 'webhook/verify.go',
    code: verifyCode.go,
    more: {
      'go.mod': 'module example.org/receiver\n\ngo 1.19\n',
      'main.go': `package main

import (
	"encoding/json"
	"net/http"
	"os"

	"example.org/receiver/webhook"
)

func main() {
	var messages []struct {
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&messages); err != nil {
		panic(err)
	}
	ours := []bool{}
	for _, message := range messages {
		header := http.Header{}
		for name, value := range message.Headers {
			header.Set(name, value)
		}
		err := webhook.Verify(os.Getenv("WEBHOOK_SECRET"), header, []byte(message.Body))
		ours = append(ours, err == nil)
	}
	json.NewEncoder(os.Stdout).Encode(ours)
}
`,
    },
  },
  php: {
    command: ['php', 'main.php'],
    file: 'main.php',
    code: `${verifyCode.php}
$isOurs = function (array $message): bool {
    try {
        verify(getenv('WEBHOOK_SECRET'), $message['headers'], $message['body']);
        return true;
    } catch (RuntimeException) {
        return false;
    }
};
echo json_encode(array_map($isOurs, json_decode(stream_get_contents(STDIN), true)));`,
  },
};
const folder = mkdtempSync(join(tmpdir(), 'toprung-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(programs))(
  'the code shown for %s',
  (language, { command, file, code, more }) => {
    const [program = '', ...args] = command;
    it.skipIf(!runs(program))('distinguishes our messages from others', () => {
      const home = mkdtempSync(join(folder, language));
      for (const [name, text] of Object.entries({ ...more, [file]: code })) {
        mkdirSync(dirname(join(home, name)), { recursive: true });
        writeFileSync(join(home, name), text);
      }
      for (const secret of [
        `whsec_${randomBytes(32).toString('base64')}`,
        `whsec_${withoutTrailing(randomBytes(25).toString('base64'), '=')}`,
        'a text of its own, über alles',
      ]) {
        const [messages, ours] = write(readSecret(secret).bytes);
        const env = {
          PATH: process.env.PATH,
          HOME: home,
          WEBHOOK_SECRET: secret,
          GOFLAGS: '-mod=mod',
          GOTOOLCHAIN: 'local',
        };
        const response = execFileSync(program, args, {
          cwd: home,
          env,
          input: JSON.stringify(messages),
          encoding: 'utf8',
        });
        expect(JSON.parse(response)).toEqual(ours);
      }
    });
  },
);

/** Messages that a receiver may get, with the expected verdict. */
function write(key: Buffer): [messages: Message[], ours: boolean[]] {
  const now = new Date();
  const body = JSON.stringify({
    type: 'rank.dropped',
    timestamp: now.toISOString(),
    data: { phrase: 'schlaf “ruhe” 睡眠', to: null },
  });
  const signed = (keys: Buffer[], at = now): Message => ({
    headers: { ...signatureHeaders(keys, 'evt_0123456789', at, body) },
    body,
  });
  const [other, minuteMs] = [randomBytes(32), 60_000];
  const good = signed([key]);
  const cases: [Message, boolean][] = [
    [good, true],
    [signed([other, key]), true],
    [signed([other]), false],
    [{ ...good, body: `${body} ` }, false],
    [{ ...good, headers: { ...good.headers, 'webhook-id': 'evt_9876543210' } }, false],
    [{ ...good, headers: { ...good.headers, 'webhook-signature': '' } }, false],
    [signed([key], new Date(now.getTime() - 4 * minuteMs)), true],
    [signed([key], new Date(now.getTime() - 6 * minuteMs)), false],
    [signed([key], new Date(now.getTime() + 6 * minuteMs)), false],
  ];
  return [cases.map(([message]) => message), cases.map(([, isOurs]) => isOurs)];
}

function runs(program: string): boolean {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log(`${program} is not installed: its code for webhooks is not tried`);
    return false;
  }
}
