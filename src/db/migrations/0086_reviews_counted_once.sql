-- Google Play shows a review in all countries of a language, with one id, and it is read in each of
-- them. A workspace has it once: in a country that it still follows, and of these in the one where
-- it saw the review first. Its marks are those of the review, in whichever country they were made.
-- Each start writes the column, from the stores' profiles.
alter table stores add column shares_reviews boolean not null default false;

-- As `listFollowedFeeds` and `matchingReviews` of src/db/queries/reviews/.
-- Compatible with 0.4.0: nothing of it reads the views.
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
    case when r.reply_at < f.shown_until then r.reply_at end as reply_at, r.dated_at,
    case when t.shares_reviews then '' else r.country end as counted_in,
    f.shown_until < 'infinity' as has_ended, next_followed(f.spans, r.first_seen_at) as shown_at
  from feed f
  join stores t on t.store = f.store
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
), own as (
  select distinct on (app_id, counted_in, store_review_id collate "C") * from shown
  order by app_id, counted_in, store_review_id collate "C", has_ended, shown_at, id
), imported as (
  select distinct on (i.app_id, c.counted_in, n."storeReviewId" collate "C")
    i.app_id, n.id, n.country, n."storeReviewId", n.author, n.rating, n.title, n.body,
    n.version, n.language, n."reviewedAt", n."firstSeenAt", n."editedAt", n.reply->>'text',
    (n.reply->>'at')::timestamptz,
    coalesce(n."reviewedAt", n."firstSeenAt", '2000-01-01T00:00:00Z'), c.counted_in
  from imported_facts i
  join (select distinct f.app_id, t.shares_reviews
    from followed f join stores t on t.store = f.store) a on a.app_id = i.app_id
  cross join lateral jsonb_to_recordset(i.items) as n(id bigint, country text, "storeReviewId" text,
    author text, rating smallint, title text, body text, version text, language text,
    "reviewedAt" timestamptz, "firstSeenAt" timestamptz, "editedAt" timestamptz, reply jsonb)
  cross join lateral (
    select case when a.shares_reviews then '' else n.country end as counted_in
  ) c
  where i.workspace_id = (select reader.workspace_id()) and i.kind = 'reviews'
    and exists (select from followed f where f.app_id = i.app_id and f.country = n.country)
    and not exists (select from own o where o.app_id = i.app_id and o.counted_in = c.counted_in
      and o.store_review_id = n."storeReviewId")
  order by i.app_id, c.counted_in, n."storeReviewId" collate "C", n.id
), known as (
  select app_id, id, country, store_review_id, author, rating, title, body, version, language,
    reviewed_at, first_seen_at, edited_at, reply, reply_at, dated_at, counted_in
  from own
  union all
  select * from imported
), marked as (
  select distinct on (m.app_id, c.counted_in, m.store_review_id) m.*, c.counted_in
  from review_marks m
  join apps a on a.id = m.app_id
  join listings l on l.id = a.listing_id
  join stores t on t.store = l.store
  cross join lateral (
    select case when t.shares_reviews then '' else m.country end as counted_in
  ) c
  order by m.app_id, c.counted_in, m.store_review_id, m.country
)
select r.id as review_id, r.app_id, r.country, r.store_review_id, r.author, r.rating, r.title,
  r.body, r.version, r.language, r.dated_at, r.reviewed_at, r.first_seen_at, r.edited_at, r.reply,
  r.reply_at, coalesce(m.tags, '{}') as tags, m.note, m.read_at is not null as is_read
from known r
left join marked m on m.app_id = r.app_id and m.counted_in = r.counted_in
  and m.store_review_id = r.store_review_id;
