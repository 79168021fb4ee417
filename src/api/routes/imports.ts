import { imports } from '../../contract/imports.ts';
import { routesOf } from '../route.ts';

export const importsRoutes = routesOf(imports, {});
