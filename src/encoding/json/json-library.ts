/**
 * JSON library of a java-tron release. `fastjson` (up to 4.8.1) keeps members in hash order and parses leniently.
 * `jackson` (since 4.8.2) keeps the insertion order.
 */
export type JsonLibrary = 'fastjson' | 'jackson';

/** Exception class of each library. */
export const JSON_EXCEPTION: Readonly<Record<JsonLibrary, string>> = {
  fastjson: 'com.alibaba.fastjson.JSONException',
  jackson: 'org.tron.json.JSONException',
};
