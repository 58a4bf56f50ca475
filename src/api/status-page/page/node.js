/** Requests to the node that served this page. */

/** Sentences shown instead of error codes of the node. */
const SENTENCES = {
  PROJECTION_OFF: (text) => `${text[0].toUpperCase()}${text.slice(1)}.`,
  HISTORY_NOT_KEPT: () => 'This node has deleted states of that age (tronicle.history.retention).',
  HEIGHT_UNKNOWN: () => 'The chain has not reached that height yet.',
  QUERY_TOO_COSTLY: () => 'The query is too large for this node.',
};

/** Runs a GraphQL query. @throws {Error} with a sentence for the user; `code` is the node's error code */
export async function ask(query, variables) {
  const { data, errors } = await answerOf('/graphql', { query, variables });
  if (!errors?.length) return data;
  const [{ message, extensions }] = errors;
  const sentence = SENTENCES[extensions?.code]?.(message) ?? message;
  throw Object.assign(new Error(sentence), { code: extensions?.code });
}

/** Posts JSON. @throws {Error} with a sentence for the user */
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
    throw new Error('The node does not respond.');
  }
  try {
    return await reply.json();
  } catch {
    throw new Error(`The node answered with status ${reply.status} and no data.`);
  }
}
