import { readFileSync } from 'node:fs';
import t from 'tap';
import { handlerNames, routesOf } from '../../../../src/api/http/route-table.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { type ServerName, serverNames } from '../../../../src/api/servers.js';

interface PathRow {
  readonly server: ServerName;
  readonly path: string;
  readonly component: string;
  readonly get: 'answers' | 'empty' | null;
  readonly post: 'answers' | null;
}

const { paths } = JSON.parse(readFileSync(new URL('paths.json', import.meta.url), 'utf8')) as { paths: PathRow[] };

t.test('serves every path of java-tron on its port, with its methods and handler name', async (t) => {
  for (const { server, path, component, get, post } of paths) {
    const route = routesOf(server, apiRelease('4.7.2')).get(path);
    const kind = route?.get === undefined ? null : route.get === 'empty' ? 'empty' : 'answers';
    t.equal(kind, get, `GET ${server} ${path}`);
    t.equal(route?.post === undefined ? null : 'answers', post, `POST ${server} ${path}`);
    t.equal(route?.component, component, `component of ${server} ${path}`);
  }
});

t.test('serves no path that java-tron does not have', async (t) => {
  for (const server of serverNames) {
    const known = paths.filter((row) => row.server === server).map(({ path }) => path);
    t.same([...routesOf(server, apiRelease('4.7.2')).keys()].sort(), known.sort(), server);
  }
});

t.test('names the JSON-RPC handlers on each port', async (t) => {
  const names = handlerNames(apiRelease('4.8.2'));
  for (const name of ['JsonRpcServlet', 'JsonRpcOnSolidityServlet', 'JsonRpcOnPBFTServlet'])
    t.ok(names.has(name), name);
});
