/** `ops/drill.sh`: loses the data directory, the queue and a host of a throw-away instance. */
import { parseArgs } from 'node:util';
import { runDrill } from './drill/run-drill.ts';

const { values } = parseArgs({
  options: {
    markets: { type: 'string', default: '200' },
    hurry: { type: 'boolean', default: false },
  },
});
const markets = Number(values.markets);
if (!Number.isInteger(markets) || markets < 10 || markets > 100_000) {
  console.error('--markets must be a whole number from 10 to 100000');
  process.exit(78);
}

try {
  await runDrill({ markets, hurries: values.hurry, say: (line) => console.log(line) });
} catch (error) {
  console.error(`The drill failed: ${(error as Error).message}`);
  process.exit(1);
}
