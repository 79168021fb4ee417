import { queryOptions } from '@tanstack/react-query';
import { call, type Request, type ResponseOf } from '../api.ts';
import { collectPages } from './collect-pages.ts';

export type CountryScores = ResponseOf<'GET /apps/{id}/country-scores'>;
export type CountryScore = CountryScores['items'][number];
export type CountryScoreCost = ResponseOf<'POST /apps/{id}/country-scores/preview'>['cost'];
export type CountryScoresBody = Request<'POST /apps/{id}/country-scores'>['body'];

const pollIntervalMs = 3_000;

/** The phrases that were scored in countries for an app. Polled while a job scores some. */
export const countryScoresQuery = (appId: number, device: string) =>
  queryOptions({
    queryKey: ['apps', appId, 'country-scores', device],
    queryFn: ({ signal }) =>
      collectPages<CountryScore, CountryScores>((cursor) =>
        call(
          'GET /apps/{id}/country-scores',
          { params: { id: appId }, query: { device, limit: 500, cursor } },
          signal,
        ),
      ),
    enabled: appId > 0 && device !== '',
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? pollIntervalMs : false),
  });

/** The newest jobs of an app that score phrases in countries. */
export const countryScoreJobsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['jobs', 'country-scores', appId],
    queryFn: ({ signal }) =>
      call('GET /jobs', { query: { kind: 'country-scores', appId, limit: 10 } }, signal),
    refetchInterval: pollIntervalMs,
  });
