import { afterAll, beforeAll, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { secretsKey, startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { startToprung } from '../harness/process.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { utcDayOf } from '#lib/dates.ts';

/**
 * Events are refused 0, 1, 2 … times in turn, so that some use up all attempts; none is in the
 * short form.
 */
const scale = process.env.TORTURE
  ? { events: 1_000, kills: 100, attempts: 10 }
  : { events: 30, kills: 1, attempts: 1 };
const requests = (scale.events * (scale.attempts + 1)) / 2;
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

/**
 * A worker may die before the request, during the response, or before the outcome is written, at
 * each attempt.
 */
test(`${scale.events} events arrive once each over ${scale.kills} kills of a worker`, async () => {
  const me = await flow.join();
  flow.pipeline.clock.set(new Date());
  const { id, secret } = await flow.register(me, { url: receiver.url });
  const reader = new Webhook(secret!);
  const faults: string[] = [];
  let kill: () => void = () => {};
  receiver.respond = (response, { body, headers }) => {
    try {
      reader.verify(body, headers as Record<string, string>);
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (receiver.requests.length % 3 === 0) kill();
    const left = refusals.get(String(headers['webhook-id']))!;
    refusals.set(String(headers['webhook-id']), left - 1);
    setTimeout(() => response.writeHead(left > 0 ? 503 : 200).end(), receiver.requests.length % 4);
    if (receiver.requests.length % 3 === 1) kill();
  };
  const events = await flow.emit(
    me,
    Array.from({ length: scale.events }, (_, index) => ({ key: `fell ${index}` })),
  );
  const refusals = new Map(events.map((event, index) => [event.id, index % scale.attempts]));
  const pool = flow.pipeline.db.pool;
  /** Work that is scheduled for hours later runs at once. */
  const hurry = () =>
    pool.query("update deliveries set next_at = now() where state = 'pending' and next_at > now()");
  const done = async () =>
    Number(
      (await pool.query("select count(*) from deliveries where state = 'succeeded'")).rows[0].count,
    );
  const start = () =>
    startToprung(['start', '--role', 'worker'], {
      DATABASE_URL: flow.pipeline.db.url,
      STORE_BASE_URL: flow.pipeline.simulator.baseUrl,
      WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      ENCRYPTION_KEY: secretsKey,
      QUEUE_STALL_SECONDS: '1',
    });
  const timer = setInterval(() => void hurry(), 100);
  let worker = start();
  /** A worker that cannot start would be awaited without end. */
  const whileAlive = <T>(waiting: Promise<T>): Promise<T> => {
    const { exited, output } = worker;
    const died = exited.then(({ code }) => {
      throw new Error(`the worker ended with ${code}:\n${output()}`);
    });
    return Promise.race([waiting, died]);
  };
  const cleanUp = async () => {
    clearInterval(timer);
    await worker.kill('SIGTERM');
  };
  const part = { name: 'kills during deliveries', total: scale.kills, limitMs: 1_200_000 };
  await trackProgress({ ...part, cleanUp }, async ({ add }) => {
    for (let kills = 0; kills < scale.kills; kills += 1) {
      // The last kill comes well before the last request.
      await whileAlive(
        receiver.waitFor(receiver.requests.length + requests / (scale.kills * 1.2 + 2)),
      );
      const reached = new Promise<void>((resolve) => {
        kill = resolve;
      });
      await whileAlive(reached);
      kill = () => {};
      await worker.kill('SIGKILL');
      worker = start();
      add();
    }
    await whileAlive(until(async () => (await done()) === scale.events));
  });

  expect(faults).toEqual([]);
  const seen = receiver.requests.map((request) => String(request.headers['webhook-id']));
  expect([...new Set(seen)].toSorted()).toEqual(events.map((event) => event.id).toSorted());
  const { rows } = await pool.query(
    `select d.message_id as id, d.state, d.attempts, array_agg(a.status
       order by a.number) as answers, array_agg(a.number order by a.number) as numbers
     from deliveries d left join delivery_attempts a on a.delivery_id = d.id where d.webhook_id = $1
       group by d.id`,
    [id],
  );
  expect(rows).toHaveLength(scale.events);
  const planned = new Map(events.map((event, index) => [event.id, index % scale.attempts]));
  for (const { id: messageId, state, attempts, answers, numbers } of rows) {
    expect([messageId, state, numbers]).toEqual([
      messageId,
      'succeeded',
      Array.from({ length: attempts }, (_, index) => index + 1),
    ]);
    expect(answers).toEqual([...Array.from({ length: attempts - 1 }, () => 503), 200]);
    expect(attempts).toBeLessThanOrEqual(planned.get(messageId)! + 1);
  }
  // At most two of a webhook run at once: requests missing in the log are those of a killed worker.
  const logged = rows.reduce((sum, { attempts }) => sum + attempts, 0);
  reportFigures(14, {
    kills: scale.kills,
    requests: receiver.requests.length,
    'in the log': logged,
    'events delivered': events.length,
  });
  expect(receiver.requests.length - logged).toBeLessThanOrEqual(2 * scale.kills);
}, 1_260_000);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
