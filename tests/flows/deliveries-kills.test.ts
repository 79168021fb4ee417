import { afterAll, beforeAll, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { secretsKey, startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { startToprung } from '../harness/process.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { utcDayOf } from '../../src/lib/dates.ts';

const scale = process.env.TORTURE ? { events: 1_000, kills: 100 } : { events: 60, kills: 3 };
let flow: Deliveries;
let receiver: Receiver;
beforeAll(async () => {
  flow = await startDeliveries(utcDayOf(new Date()), { work: false });
  receiver = await startReceiver();
});
afterAll(async () => {
  await flow.close();
  await receiver.close();
});

/** Wherever a worker stands when it dies: before the request, while it is answered, before the outcome is written. */
test(`a worker killed ${scale.kills} times among ${scale.events} deliveries: every event arrives, each under its one id, and the log is whole`, async () => {
  const me = await flow.join();
  flow.pipeline.clock.set(new Date());
  const { id, secret } = await flow.register(me, { url: receiver.url });
  const reader = new Webhook(secret!);
  const faults: string[] = [];
  let kill: () => void = () => {};
  receiver.answer = (response, { body, headers }) => {
    try {
      reader.verify(body, headers as Record<string, string>);
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (receiver.requests.length % 3 === 0) kill();
    setTimeout(() => response.writeHead(200).end(), receiver.requests.length % 4);
    if (receiver.requests.length % 3 === 1) kill();
  };
  const events = await flow.emit(
    me,
    Array.from({ length: scale.events }, (_, index) => ({ key: `fell ${index}` })),
  );
  const pool = flow.pipeline.db.pool;
  const done = async () => Number((await pool.query("select count(*) from deliveries where state = 'succeeded'")).rows[0].count);
  const start = () =>
    startToprung(['start', '--role', 'worker'], {
      DATABASE_URL: flow.pipeline.db.url,
      STORE_BASE_URL: flow.pipeline.simulator.baseUrl,
      WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      SECRETS_KEY: secretsKey,
      QUEUE_STALL_SECONDS: '1',
    });
  let worker = start();
  /** One that cannot start would be waited for without end. */
  const whileAlive = <T>(waiting: Promise<T>): Promise<T> => {
    const { exited, output } = worker;
    const died = exited.then(({ code }) => {
      throw new Error(`the worker ended with ${code}:\n${output()}`);
    });
    return Promise.race([waiting, died]);
  };
  for (let kills = 0; kills < scale.kills; kills += 1) {
    await whileAlive(receiver.waitFor(receiver.requests.length + scale.events / (scale.kills + 2)));
    const reached = new Promise<void>((resolve) => {
      kill = resolve;
    });
    await whileAlive(reached);
    kill = () => {};
    await worker.kill('SIGKILL');
    worker = start();
  }
  await whileAlive(until(async () => (await done()) === scale.events));
  await worker.kill('SIGTERM');

  expect(faults).toEqual([]);
  const seen = receiver.requests.map((request) => String(request.headers['webhook-id']));
  expect([...new Set(seen)].toSorted()).toEqual(events.map((event) => event.id).toSorted());
  const { rows } = await pool.query(
    `select d.state, d.attempts, count(a.number)::int as logged from deliveries d left join delivery_attempts a on a.delivery_id = d.id
     where d.webhook_id = $1 group by d.id having d.state <> 'succeeded' or d.attempts <> count(a.number)`,
    [id],
  );
  expect(rows).toEqual([]);
}, 900_000);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
