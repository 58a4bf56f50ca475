const byId = (id) => document.getElementById(id);
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

let api;
/** @type {{ path: string, method: string } | undefined} */
let chosen;

start().catch((error) => {
  byId('problem').textContent = `The API description could not be loaded: ${error.message}`;
  byId('problem').hidden = false;
});

async function start() {
  api = await (await fetch('/openapi.json')).json();
  byId('filter').addEventListener('input', showCalls);
  byId('form').addEventListener('submit', send);
  addEventListener('hashchange', choose);
  showCalls();
  choose();
}

function showCalls() {
  const wanted = byId('filter').value.trim().toLowerCase();
  const paths = Object.keys(api.paths).filter((path) => path.toLowerCase().includes(wanted));
  byId('calls').replaceChildren(
    ...paths.map((path) => make('li', {}, make('a', { href: `#${path}`, textContent: path }))),
  );
}

function choose() {
  const path = location.hash.slice(1);
  const item = api.paths[path];
  byId('call').hidden = item === undefined;
  if (item === undefined) return;
  const methods = ['post', 'get'].filter((method) => item[method] !== undefined);
  const choices = methods.map((method, at) => {
    const input = make('input', { type: 'radio', name: 'method', value: method, checked: at === 0 });
    input.addEventListener('change', () => showMethod(path, method));
    return make('label', {}, input, ` ${method.toUpperCase()}`);
  });
  byId('methods').replaceChildren(make('legend', { textContent: 'Method' }), ...choices);
  byId('call-title').textContent = path;
  byId('answer').textContent = '';
  byId('answer-status').textContent = '';
  showMethod(path, methods[0]);
  byId('call-title').focus();
}

function showMethod(path, method) {
  chosen = { path, method };
  const operation = api.paths[path][method];
  const [server] = operation.tags;
  byId('call-about').textContent = `${operation.summary} · ${api.tags.find(({ name }) => name === server).description}`;
  const isPost = method === 'post';
  byId('body').hidden = byId('body-label').hidden = !isPost;
  byId('body').value = isPost ? example(operation.requestBody.content['application/json'].schema) : '';
  byId('fields').replaceChildren(
    ...(operation.parameters ?? []).flatMap(({ name, in: place, required, schema, description }) => {
      const id = `field-${name}`;
      const hint = description ?? schema.description ?? schema.type;
      return [
        make('label', { htmlFor: id, textContent: `${name}${required ? ' *' : ''} (${hint})` }),
        make('input', { id, name, className: place, autocomplete: 'off', spellcheck: false }),
      ];
    }),
  );
  showCommand();
}

/** Returns an example body with all required arguments and `visible`. */
function example({ properties, required = [] }) {
  const values = { string: '', integer: 0, boolean: true, array: [], object: {} };
  const names = [...required, 'visible'];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, values[properties[name].type]])), undefined, 2);
}

function request() {
  const { path, method } = chosen;
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, value, className } of byId('fields').querySelectorAll('input')) {
    if (className === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.append(name, value);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return {
    target: filled + search,
    method: method.toUpperCase(),
    body: method === 'post' ? byId('body').value : undefined,
  };
}

function showCommand() {
  const { target, method, body } = request();
  const [server] = api.paths[chosen.path].servers;
  const url = server.url.replace('{host}', location.hostname) + target;
  const data = body === undefined ? '' : ` --data '${body.replaceAll("'", "'\\''")}'`;
  byId('command').textContent = `curl -X ${method} '${url}'${data}`;
}

async function send(event) {
  event.preventDefault();
  showCommand();
  const { target, method, body } = request();
  const [server] = api.paths[chosen.path][chosen.method].tags;
  byId('answer-status').textContent = '…';
  const started = performance.now();
  try {
    const reply = await fetch(`/http-api/try/${server}${target}`, { method, body });
    const text = await reply.text();
    byId('answer-status').textContent = `${reply.status} · ${Math.round(performance.now() - started)} ms`;
    byId('answer').textContent = pretty(text);
  } catch (error) {
    byId('answer-status').textContent = '';
    byId('answer').textContent = `No response: ${error.message}`;
  }
}

/** Indents JSON text without parsing its numbers, because 64-bit numbers would lose digits. */
function pretty(text) {
  let depth = 0;
  let out = '';
  for (const [token] of text.trim().matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+|\s+/g)) {
    if (token.trim() === '') continue;
    if (token === '{' || token === '[') out += token + newLine(++depth);
    else if (token === '}' || token === ']') out += newLine(--depth) + token;
    else if (token === ',') out += token + newLine(depth);
    else out += token === ':' ? ': ' : token;
  }
  return text.trimStart().startsWith('{') || text.trimStart().startsWith('[')
    ? out.replace(/([[{])\s+([\]}])/g, '$1$2')
    : text;
}

function newLine(depth) {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}
