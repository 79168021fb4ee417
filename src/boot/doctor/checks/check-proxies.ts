import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings, StoreReading } from '../readings.ts';

const remedy = 'Check that the proxy runs and accepts its user and password, or remove it.';

/** The egress proxies, by what was sent through them. */
export function checkProxies({ config, stores, egress }: Readings): Finding[] {
  if (config.EGRESS_PROXIES.length === 0)
    return [ok('proxies', 'No proxies are set: stores are requested from this machine.')];
  if (egress !== null)
    return egress.map(({ name, consecutiveFailures, unavailableUntil }) =>
      unavailableUntil === null
        ? ok('proxies', `${name} is in use.`)
        : warning('proxies', `${name} failed ${consecutiveFailures} times in a row.`, remedy),
    );
  const names = [...new Set(stores.map(({ endpoint }) => endpoint))];
  return names.map((name) =>
    checkProxy(
      name,
      stores.filter(({ endpoint }) => endpoint === name),
    ),
  );
}

function checkProxy(name: string, readings: readonly StoreReading[]): Finding {
  const sent = readings.filter(({ outcome }) => outcome !== 'cooling');
  if (sent.length === 0)
    return skipped('proxies', `${name} cools down after refusals of the stores.`);
  const lost = sent.filter(({ outcome }) => outcome === 'unavailable');
  return lost.length === sent.length
    ? failure('proxies', `No store responds through ${name} (${lost[0]!.marker}).`, remedy)
    : ok('proxies', `Stores respond through ${name}.`);
}
