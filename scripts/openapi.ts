/** Prints the OpenAPI document, as a running instance serves it at /docs-json. */
import { buildOpenApi } from '#api/openapi.ts';

process.stdout.write(`${JSON.stringify(buildOpenApi(), null, 2)}\n`);
