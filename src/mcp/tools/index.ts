import type { Tool, Toolset } from '../tool.ts';
import { actionTools } from './actions.ts';
import { appTools } from './apps.ts';
import { competitorTools } from './competitors.ts';
import { keywordTools } from './keywords.ts';
import { metadataTools } from './metadata.ts';
import { opsTools } from './ops.ts';
import { rankingTools } from './rankings.ts';
import { reviewTools } from './reviews.ts';

/** Every tool, by the toolset that `--toolsets` names. */
export const toolTable: Record<Toolset, readonly Tool[]> = {
  apps: appTools,
  keywords: keywordTools,
  rankings: rankingTools,
  competitors: competitorTools,
  metadata: metadataTools,
  reviews: reviewTools,
  actions: actionTools,
  ops: opsTools,
};
