/** `npm run build`: the dashboard and the server build, which a start would otherwise make. */
import { buildServer } from '#boot/build-server.ts';
import { ensureDashboard } from '#boot/dashboard-build.ts';

await ensureDashboard(console.log);
if ((await buildServer(console.log)) === null) process.exitCode = 1;
