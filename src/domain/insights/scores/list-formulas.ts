import type { z } from 'zod';
import type { scores } from '#contract/scores.ts';
import { storeNames } from '#domain/base/ports.ts';
import { normalisationMeanings, signalMeanings } from './formula-meanings.ts';
import {
  difficultyFormulas,
  formulaVersion,
  opportunityFormula,
  trafficFormulas,
} from './formulas.ts';

export type FormulaList = z.input<(typeof scores)['GET /scores/formulas']['responses'][200]>;
type Formula = FormulaList['formulas'][number];

const weighedMean = '100 × Σ weight × value / Σ weight, over the present signals';

/** The constants of the scores with their meaning. */
export function listFormulas(): FormulaList {
  const formulas = storeNames.flatMap((store): Formula[] => {
    const [traffic, difficulty] = [trafficFormulas[store], difficultyFormulas[store]];
    return [
      { id: traffic.id, score: 'traffic', store, expression: weighedMean, ...present(traffic) },
      {
        id: difficulty.id,
        score: 'difficulty',
        store,
        expression: `${weighedMean}; a brand adds brandLift of the remainder up to 100`,
        ...present(difficulty),
      },
    ];
  });
  const expression = '100 × traffic/100 × (1 - (difficulty/100)²) × headroom × relevance';
  return {
    version: formulaVersion,
    formulas: [
      ...formulas,
      {
        id: opportunityFormula.id,
        score: 'opportunity',
        store: null,
        expression,
        ...present({ weights: {}, ...opportunityFormula }),
      },
    ],
  };
}

function present(formula: {
  weights: Partial<Record<keyof typeof signalMeanings, number>>;
  normalisations: object;
}): Pick<Formula, 'weights' | 'normalisations'> {
  const weights = Object.entries(formula.weights) as [keyof typeof signalMeanings, number][];
  const normalisations = Object.entries(formula.normalisations) as [
    keyof typeof normalisationMeanings,
    number | boolean,
  ][];
  return {
    weights: weights.map(([signal, weight]) => ({
      signal,
      weight,
      meaning: signalMeanings[signal],
    })),
    normalisations: normalisations.map(([name, value]) => ({
      name,
      value,
      meaning: normalisationMeanings[name],
    })),
  };
}
