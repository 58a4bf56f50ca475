/** Class of what a library throws. */
export const JSON_EXCEPTION = {
    fastjson: 'com.alibaba.fastjson.JSONException',
    jackson: 'org.tron.json.JSONException',
};
//# sourceMappingURL=json-library.js.map