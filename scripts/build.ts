/** `npm run build`: the dashboard and the server build, which a start would otherwise make. */
import { buildServer } from '#boot/build-server.ts';
import { ensureDashboard } from '#boot/dashboard-build.ts';
import { findServerBuild } from '#boot/find-server-build.js';

await ensureDashboard(console.log);
if ((findServerBuild() ?? (await buildServer(console.log))) === null) process.exitCode = 1;
