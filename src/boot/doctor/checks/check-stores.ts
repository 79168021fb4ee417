import { storeProfiles, type StoreProfile } from '#stores/profiles.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings, StoreReading } from '../readings.ts';

const remedies: Record<Exclude<StoreReading['outcome'], 'ok'>, string> = {
  cooling: 'Wait: requests begin again by themselves, more slowly. Add proxies if it goes on.',
  refused: 'Lower the pace of the store (SCRAPE_…_RPM) or add EGRESS_PROXIES.',
  unreadable: 'Look at GET /admin/fields, and update Toprung: the format has changed.',
  unavailable: 'Check the network, DNS and firewall of this machine.',
};

/** The stores as a search finds them now, or, in the running product, as its last probe did. */
export function checkStores(readings: Readings): Finding[] {
  return storeProfiles.map((profile) =>
    readings.egress === null
      ? checkResponses(
          profile,
          readings.stores.filter(({ store }) => store === profile.id),
        )
      : checkLastProbe(profile, readings),
  );
}

function checkResponses({ name }: StoreProfile, found: readonly StoreReading[]): Finding {
  const failed = found.filter(({ outcome }) => outcome !== 'ok');
  const [first] = failed;
  if (first === undefined || first.outcome === 'ok')
    return ok('stores', `${name} responds to a search.`);
  const message = `${name}: ${first.outcome}, ${first.marker}, through ${first.endpoint}`;
  const others = failed.length > 1 ? ` and ${failed.length - 1} other endpoints.` : '.';
  const report = failed.length < found.length ? warning : failure;
  return report('stores', message + others, remedies[first.outcome]);
}

function checkLastProbe({ id, name }: StoreProfile, { database }: Readings): Finding {
  const instance = database.state === 'running' ? database.instance : null;
  const probe = instance?.probes?.find(({ store }) => store === id);
  if (probe === undefined) return skipped('stores', `${name} has not been probed yet.`);
  const when = probe.probedAt.toISOString();
  return probe.state === 'ok'
    ? ok('stores', `${name} responded to the probe of ${when}.`)
    : failure(
        'stores',
        `${name} failed ${probe.attempts} probes, the last one at ${when} (${probe.marker}).`,
        'Run toprung doctor, which sends a search now and reports what is wrong.',
      );
}
