export { packIds, packStrengths, unpackIds, unpackStrengths, type Strength } from '../rankings/pack-serp.ts';
