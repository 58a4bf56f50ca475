// Deploys the token and the factory. Writes their addresses to deployment.json. Usage: npm run deploy
import { writeFileSync } from 'node:fs';
import { deploy, deploymentFile } from './chain.mjs';

const token = await deploy('Token', [1_000_000_000_000]);
const factory = await deploy('Factory');
writeFileSync(deploymentFile, `${JSON.stringify({ token, factory }, undefined, 2)}\n`);
await import('./activity.mjs');
