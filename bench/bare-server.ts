/**
 * The plainest server that could give the same data: Fastify, a pool and one statement a route,
 * without access checks, validation or derived values. Prints its address.
 */
import Fastify from 'fastify';
import pg from 'pg';

const statements = {
  apps: `select a.*, l.store, l.store_app_id, l.name, l.developer, s.facts, d.rating,
      d.rating_count, d.installs, d.read_at
    from apps a join listings l on l.id = a.listing_id
    left join lateral (select fields - array['summary', 'description', 'releaseNotes',
        'screenshotUrls', 'languages'] as facts from snapshots
      where listing_id = a.listing_id and country = a.primary_country order by id desc limit 1
    ) s on true
    left join lateral (select rating, rating_count, installs, read_at from listing_days
      where listing_id = a.listing_id and country = a.primary_country order by on_date desc limit 1
    ) d on true
    where a.workspace_id = $1 and a.archived_at is null order by a.id limit 51`,
  keywords: `select k.*, s.queued_until, s.urgent_at, s.completed_on, s.checked_on,
      count(*) over ()::int as total
    from keywords k left join market_schedule s on s.market_id = k.market_id
    where k.workspace_id = $1 and k.archived_at is null
      and k.app_id = (select min(id) from apps where workspace_id = $1)
    order by k.phrase limit 100`,
  latest: `select k.id, k.app_id, k.phrase, k.country, k.device, k.latest_on, k.latest_position,
      k.latest_depth, k.latest_at, (select count(*)::int from keywords k
        join apps a on a.id = k.app_id where k.workspace_id = $1 and k.archived_at is null
        and a.archived_at is null) as total
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = $1 and k.archived_at is null and a.archived_at is null
    order by k.id limit 100`,
};

const [url, workspaceId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url });
const server = Fastify();
for (const [name, text] of Object.entries(statements))
  server.get(`/${name}`, async () => {
    const { rows } = await pool.query({ name, text, values: [workspaceId] });
    return { items: rows };
  });
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
