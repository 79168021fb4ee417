import type { WebhookKind } from './choices.ts';

export type { WebhookKind };

const byHost: readonly { kind: WebhookKind; host: RegExp; path: RegExp }[] = [
  { kind: 'slack', host: /^hooks\.slack(-gov)?\.com$/, path: /^\// },
  {
    kind: 'discord',
    host: /^(ptb\.|canary\.)?discord(app)?\.com$/,
    path: /^\/api\/(v\d+\/)?webhooks\//,
  },
  { kind: 'telegram', host: /^api\.telegram\.org$/, path: /^\/bot/ },
  { kind: 'ntfy', host: /^ntfy\./, path: /^\/[^/]+\/?$/ },
];

/** The kind of a known host. */
export function kindOf(url: URL): WebhookKind {
  return (
    byHost.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname))?.kind ??
    'standard'
  );
}
