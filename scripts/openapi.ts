/** `npm run openapi` prints the OpenAPI document that an instance serves at /docs-json. */
import { buildOpenApi } from '#api/openapi.ts';

process.stdout.write(`${JSON.stringify(buildOpenApi(), null, 2)}\n`);
