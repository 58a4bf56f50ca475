/**
 * The JSON library that a release of the reference reads and writes with. `fastjson` (up to 4.8.1) keeps members in
 * hash order and reads leniently, `jackson` (from 4.8.2) keeps the order of insertion.
 */
export type JsonLibrary = 'fastjson' | 'jackson';

/** Class of what a library throws. */
export const JSON_EXCEPTION: Readonly<Record<JsonLibrary, string>> = {
  fastjson: 'com.alibaba.fastjson.JSONException',
  jackson: 'org.tron.json.JSONException',
};
