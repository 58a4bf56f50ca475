/** Questions to the node that served this page. */

/** What people read instead of the codes of the node. */
const SENTENCES = {
  PROJECTION_OFF: (text) => `${text[0].toUpperCase()}${text.slice(1)}.`,
  HISTORY_NOT_KEPT: () => 'This node does not keep states that old (tronicle.history.retention).',
  HEIGHT_UNKNOWN: () => 'The chain is not that high yet.',
  QUERY_TOO_COSTLY: () => 'That is more than this node reads at once.',
};

/** @throws {Error} a sentence for people; `code` is the node's */
export async function ask(query, variables) {
  const { data, errors } = await answerOf('/graphql', { query, variables });
  if (!errors?.length) return data;
  const [{ message, extensions }] = errors;
  const sentence = SENTENCES[extensions?.code]?.(message) ?? message;
  throw Object.assign(new Error(sentence), { code: extensions?.code });
}

/** Posts JSON. @throws {Error} a sentence for people */
export async function post(path, body) {
  const answer = await answerOf(path, body);
  if (answer.error === undefined) return answer;
  throw new Error(`${answer.error[0]?.toUpperCase() ?? ''}${answer.error.slice(1).replace(/\.$/, '')}.`);
}

async function answerOf(path, body) {
  let reply;
  try {
    reply = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error('The node does not answer.');
  }
  try {
    return await reply.json();
  } catch {
    throw new Error(`The node answered with status ${reply.status} and no data.`);
  }
}
