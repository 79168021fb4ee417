-- A workspace sees what was read from a listing only in the spans in which it follows the
-- storefront: not while the app was archived, and in a country of keywords not while none of them
-- was tracked. Others may have had the listing read in between. Queries and the views of readers
-- share these functions. A span contains its beginning and not its end, and an open one ends at
-- infinity.

-- The spans of a keyword's tracking periods that have a depth, from the second in which each began.
-- The first one begins with the keyword, to the millisecond. Stored periods are in their order.
create function spans_of_periods(periods jsonb, created_at timestamptz) returns tstzmultirange
language plpgsql stable parallel safe as $$
declare
  spans tstzmultirange := '{}';
  day timestamptz;
  second int;
  began timestamptz;
begin
  for n in 0 .. jsonb_array_length(periods) - 1 loop
    day := (periods->n->>0)::date::timestamp at time zone 'UTC';
    if (periods->n->>1)::int <= 0 then
      if began is not null then
        spans := spans + tstzmultirange(tstzrange(began, greatest(began, day)));
        began := null;
      end if;
    elsif began is null then
      second := coalesce((periods->n->>2)::int, 0);
      began := case
        when n = 0 and day = date_trunc('day', created_at, 'UTC') then created_at
        else day + make_interval(secs => case when second < 0 then -1 - second else second end)
      end;
    end if;
  end loop;
  return case when began is null then spans
    else spans + tstzmultirange(tstzrange(began, 'infinity')) end;
end $$;

-- The same without a loop for one period, which most keywords have: the planner puts this
-- expression in the place of the call.
create function tracked_spans(periods jsonb, created_at timestamptz) returns tstzmultirange
language sql stable parallel safe
return case
  when jsonb_array_length(periods) = 1 and (periods->0->>1)::int > 0
    and (periods->0->>0)::date = (created_at at time zone 'UTC')::date
    then tstzmultirange(tstzrange(created_at, 'infinity'))
  else spans_of_periods(periods, created_at)
end;

create function spans_without_archived(created_at timestamptz, archived_at timestamptz,
  archived_spans jsonb) returns tstzmultirange
language sql stable parallel safe
return tstzmultirange(tstzrange(created_at, 'infinity'))
  - case when archived_at is null then '{}'
    else tstzmultirange(tstzrange(archived_at, 'infinity')) end
  - (
    -- A file that an operator imported may have any instants.
    select coalesce(range_agg(tstzrange((s.value->>0)::timestamptz,
      greatest((s.value->>0)::timestamptz, (s.value->>1)::timestamptz))), '{}')
    from jsonb_array_elements(archived_spans) as s(value)
  );

-- The spans in which an app is not archived; without a loop for an app that never was.
create function app_spans(created_at timestamptz, archived_at timestamptz, archived_spans jsonb)
returns tstzmultirange
language sql stable parallel safe
return case
  when archived_at is null and archived_spans = '[]'
    then tstzmultirange(tstzrange(created_at, 'infinity'))
  else spans_without_archived(created_at, archived_at, archived_spans)
end;

-- The first instant of the spans from `at` on, which is `at` itself within one. Null after the last
-- one.
create function next_followed(spans tstzmultirange, at timestamptz) returns timestamptz
language sql immutable parallel safe
return lower(spans * tstzmultirange(tstzrange(at, 'infinity')));

-- The instant of a day's reading as the workspace knows it; null when it may not see the reading.
-- A day on which a span begins is visible at once, with no instant from before.
create function own_reading(spans tstzmultirange, day date, read_at timestamptz)
returns timestamptz
language sql immutable parallel safe
return case
  when next_followed(spans, day::timestamp at time zone 'UTC')
      < (day + 1)::timestamp at time zone 'UTC'
    and spans @> greatest(read_at, next_followed(spans, day::timestamp at time zone 'UTC'))
    then greatest(read_at, next_followed(spans, day::timestamp at time zone 'UTC'))
end;

-- The views as before, within these spans.
-- Compatible with 0.4.0: nothing of it reads the views.
create or replace view reader.apps with (security_barrier) as
select a.id as app_id, l.store, l.store_app_id,
  coalesce(s.facts->>'name', case when l.named_in = a.primary_country then l.name else coalesce((
    select n.name from listing_names n
    where n.listing_id = l.id and n.country = a.primary_country),
    case when l.named_in is null then l.name end) end, l.store_app_id) as name,
  a.display_name,
  case when s.facts is null then l.developer else s.facts->>'developer' end as developer,
  a.primary_country, s.facts->>'category' as category, d.rating, d.rating_count, d.installs,
  s.facts->>'version' as version, a.tags, a.note,
  coalesce(a.tracked_since, a.created_at) as created_at, a.archived_at
from apps a
join listings l on l.id = a.listing_id
cross join lateral (
  select app_spans(a.created_at, a.archived_at, a.archived_spans) as spans offset 0
) followed
left join lateral (
  select rating, rating_count, installs,
    own_reading(followed.spans, on_date, listing_days.read_at) as read_at
  from listing_days
  where listing_id = a.listing_id and country = a.primary_country
    and own_reading(followed.spans, on_date, listing_days.read_at) is not null
  order by on_date desc limit 1
) d on true
left join lateral (
  select fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls', 'languages']
    as facts
  from snapshots
  where listing_id = a.listing_id and country = a.primary_country and taken_at < coalesce(
    (select upper(span) from unnest(followed.spans) as span where span @> d.read_at),
    upper(followed.spans))
  order by id desc limit 1
) s on true
where a.workspace_id = (select reader.workspace_id())
  and (a.purge_at is null or a.purge_at > now());

create or replace view reader.competitors with (security_barrier) as
select c.id as competitor_id, c.app_id, l.store, l.store_app_id,
  coalesce(s.facts->>'name', case when l.named_in = a.primary_country then l.name else coalesce((
    select n.name from listing_names n
    where n.listing_id = l.id and n.country = a.primary_country),
    case when l.named_in is null then l.name end) end, l.store_app_id) as name,
  case when s.facts is null then l.developer else s.facts->>'developer' end as developer,
  c.relationship, c.note, d.rating, d.rating_count, d.installs,
  coalesce(c.tracked_since, c.created_at) as created_at
from competitors c
join apps a on a.id = c.app_id
join listings l on l.id = c.listing_id
cross join lateral (
  select app_spans(a.created_at, a.archived_at, a.archived_spans)
    * tstzmultirange(tstzrange(c.followed_at, 'infinity')) as spans offset 0
) followed
left join lateral (
  select rating, rating_count, installs, read_at from listing_days
  where listing_id = c.listing_id and country = a.primary_country and followed.spans @> read_at
  order by on_date desc limit 1
) d on true
left join lateral (
  select fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls', 'languages']
    as facts
  from snapshots where listing_id = c.listing_id and country = a.primary_country
    and taken_at < (
      select upper(span) from unnest(followed.spans) as span where span @> d.read_at)
  order by id desc limit 1
) s on true
where c.workspace_id = (select reader.workspace_id()) and c.archived_at is null
  and (a.purge_at is null or a.purge_at > now());

-- As `listFollowedFeeds` and `shownReviews` of src/db/queries/reviews/.
create or replace view reader.reviews with (security_barrier) as
with followed as (
  select a.id as app_id, a.listing_id, l.store, f.country,
    range_agg(f.spans) * app_spans(a.created_at, a.archived_at, a.archived_spans) as spans
  from apps a
  join listings l on l.id = a.listing_id
  cross join lateral (
    select a.primary_country as country, '{(,)}'::tstzmultirange as spans
    union all
    select k.country, tracked_spans(k.tracking_periods, k.created_at)
    from keywords k where k.app_id = a.id and k.archived_at is null
  ) f
  where a.workspace_id = (select reader.workspace_id())
    and (a.purge_at is null or a.purge_at > now())
  group by a.id, a.listing_id, l.store, f.country
), span as (
  select f.*, s.ended_before, s.until, b.since,
    c.synced_at >= b.since and (c.synced_at < s.until
      or s.until > date_trunc('day', s.began, 'UTC') + interval '1 day') as is_read
  from followed f
  cross join lateral (
    select lower(r) as began, upper(r) as until,
      lag(upper(r), 1, '-infinity') over (order by r) as ended_before
    from unnest(f.spans) as r
  ) s
  cross join lateral (
    select greatest(date_trunc('day', s.began, 'UTC'), s.ended_before) as since
  ) b
  left join review_coverage c on c.listing_id = f.listing_id and c.country = f.country
), feed as (
  select s.*, oldest.dated_at as shown_from,
    coalesce(max(s.until) filter (where s.is_read) over country, max(s.until) over country)
      as shown_until
  from (
    select span.*, min(since) filter (where is_read) over (
      partition by app_id, country order by since
      rows between current row and unbounded following) as read_since
    from span
  ) s
  left join lateral (
    select r.dated_at from reviews r
    where r.listing_id = s.listing_id and r.country = s.country and r.first_seen_at < s.read_since
    order by r.dated_at desc, r.id desc
    offset (select t.first_reviews - 1 from stores t where t.store = s.store) limit 1
  ) oldest on s.read_since is not null
  window country as (partition by s.app_id, s.country)
), shown as (
  select f.app_id, r.id, r.country, r.store_review_id, r.author, r.rating, r.title, r.body,
    r.version, r.language, r.reviewed_at,
    case when r.first_seen_at >= f.since and r.dated_at >= f.since
      then next_followed(f.spans, r.first_seen_at) end as first_seen_at,
    case when r.edited_at >= f.since then next_followed(f.spans, r.edited_at) end as edited_at,
    case when r.reply_at < f.shown_until is not false then r.reply end as reply,
    case when r.reply_at < f.shown_until then r.reply_at end as reply_at, r.dated_at
  from feed f
  join lateral (
    select id, country, store_review_id, author, rating, title, body, version, language,
      reviewed_at, first_seen_at, edited_at, reply, reply_at, dated_at
    from reviews
    where listing_id = f.listing_id and country = f.country
      and edited_at < f.shown_until is not false
    union all
    select r.id, r.country, r.store_review_id, r.author, v.rating, v.title, v.body, v.version,
      r.language, v.reviewed_at, r.first_seen_at,
      case when v.seen_at > r.first_seen_at then v.seen_at end, r.reply, r.reply_at,
      coalesce(v.reviewed_at, r.first_seen_at)
    from reviews r
    cross join lateral (
      select * from review_versions v
      where v.review_id = r.id and v.replaced_at >= f.shown_until order by v.id limit 1
    ) v
    where r.listing_id = f.listing_id and r.country = f.country and r.edited_at >= f.shown_until
  ) r on r.first_seen_at >= f.ended_before and r.first_seen_at < f.until
    and (r.first_seen_at >= f.since or f.read_since is not null
      and (f.shown_from is null or r.dated_at >= f.shown_from))
), known as (
  select * from shown
  union all
  select i.app_id, n.id, n.country, n."storeReviewId", n.author, n.rating, n.title, n.body,
    n.version, n.language, n."reviewedAt", n."firstSeenAt", n."editedAt", n.reply->>'text',
    (n.reply->>'at')::timestamptz,
    coalesce(n."reviewedAt", n."firstSeenAt", '2000-01-01T00:00:00Z')
  from imported_facts i
  cross join lateral jsonb_to_recordset(i.items) as n(id bigint, country text, "storeReviewId" text,
    author text, rating smallint, title text, body text, version text, language text,
    "reviewedAt" timestamptz, "firstSeenAt" timestamptz, "editedAt" timestamptz, reply jsonb)
  where i.workspace_id = (select reader.workspace_id()) and i.kind = 'reviews'
    and exists (select from followed f where f.app_id = i.app_id and f.country = n.country)
    and not exists (select from shown s where s.app_id = i.app_id and s.country = n.country
      and s.store_review_id = n."storeReviewId")
)
select r.id as review_id, r.app_id, r.country, r.store_review_id, r.author, r.rating, r.title,
  r.body, r.version, r.language, r.dated_at, r.reviewed_at, r.first_seen_at, r.edited_at, r.reply,
  r.reply_at, coalesce(m.tags, '{}') as tags, m.note, m.read_at is not null as is_read
from known r
left join review_marks m on m.app_id = r.app_id and m.country = r.country
  and m.store_review_id = r.store_review_id;

-- As before, and the view of reviews reads their earlier versions.
create or replace function prepare_readers() returns void language plpgsql as $$
declare
  tenant text;
  name text;
  database text := current_database();
begin
  foreach name in array array['toprung_views', 'toprung_reader'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
  end loop;
  if not pg_has_role(current_user, 'toprung_views', 'set') then
    execute format('grant toprung_views to %I with set true, inherit true', current_user);
  end if;

  grant usage on schema public, reader to toprung_views;
  grant select on reader_logins, workspaces, apps, keywords, competitors, imported_daily_ranks,
    imported_facts, events, annotations, review_marks, stores, listings, listing_names,
    listing_days, snapshots, rank_months, market_months, market_gaps, fallback_checks,
    position_series, store_tasks, store_task_gaps, charts, reviews, review_versions,
    review_coverage, reader.calendar to toprung_views;
  if not exists (select from pg_policies where tablename = 'reader_logins'
      and policyname = 'own_login') then
    create policy own_login on reader_logins for select to toprung_views
      using (login = session_user);
    create policy own_login on workspaces for select to toprung_views
      using (exists (select from reader_logins r
        where r.login = session_user and r.workspace_id = id));
  end if;
  foreach tenant in array array['apps', 'keywords', 'competitors', 'imported_daily_ranks',
      'imported_facts', 'events', 'annotations', 'review_marks'] loop
    if not exists (select from pg_policies where tablename = tenant
        and policyname = 'own_login') then
      execute format('create policy own_login on %I for select to toprung_views'
        ' using (workspace_id = (select reader.workspace_id()))', tenant);
    end if;
  end loop;

  execute 'grant create on schema reader to toprung_views';
  for name in
    select c.oid::regclass::text from pg_class c
    where c.relnamespace = 'reader'::regnamespace and c.relkind = 'v'
      and c.relowner <> 'toprung_views'::regrole
  loop
    execute format('alter view %s owner to toprung_views', name);
  end loop;
  alter function reader.workspace_id() owner to toprung_views;
  execute 'revoke create on schema reader from toprung_views';

  grant usage on schema reader to toprung_reader;
  for name in
    select c.oid::regclass::text from pg_class c
    where c.relnamespace = 'reader'::regnamespace and c.relkind = 'v'
  loop
    execute format('grant select on %s to toprung_reader', name);
  end loop;

  -- Every login may call the functions of `public`, some of which write as another role, and may
  -- create temporary tables. The product's roles have rights of their own.
  execute format('grant temporary on database %I to toprung_app, toprung_system', database);
  execute format('revoke temporary on database %I from public', database);
  revoke usage on schema public from public;
  perform restrict_catalog_functions();
end $$;

do $$
begin
  if exists (select from pg_views where schemaname = 'reader' and viewname = 'reviews'
      and viewowner = 'toprung_views') then
    grant select on review_versions to toprung_views;
  end if;
end $$;
