/**
 * JSON library of a java-tron release. `fastjson` (up to 4.8.1) orders the members of an object by hash, and parses
 * leniently. `jackson` (since 4.8.2) orders them by insertion.
 */
export type JsonLibrary = 'fastjson' | 'jackson';

/** Java class of the exceptions of each library. */
export const JSON_EXCEPTION: Readonly<Record<JsonLibrary, string>> = {
  fastjson: 'com.alibaba.fastjson.JSONException',
  jackson: 'org.tron.json.JSONException',
};
