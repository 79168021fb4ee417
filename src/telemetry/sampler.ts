import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';

/** The samplers of the specification that need nothing else. */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** `share` of the traces is kept by the ratio samplers, from 0 to 1. */
export function createSampler(name: SamplerName, share: number): Sampler {
  const root = createRootSampler(name.replace('parentbased_', ''), share);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function createRootSampler(name: string, share: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(share) : new AlwaysOnSampler();
}
