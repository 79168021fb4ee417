/**
 * `npm run build`: the dashboard and the server build, which a start would otherwise make. With
 * `--final` the builds are used from then on without a look at the sources, as in an image.
 */
import { writeFileSync } from 'node:fs';
import { buildServer } from '#boot/build-server.ts';
import { ensureDashboard } from '#boot/dashboard-build.ts';
import { finalBuildFile, findServerBuild, stampSources } from '#boot/find-server-build.js';

const stamp = stampSources();
await ensureDashboard(console.log);
if ((findServerBuild() ?? (await buildServer(console.log))) === null) process.exitCode = 1;
else if (process.argv.includes('--final')) writeFileSync(finalBuildFile, stamp);
