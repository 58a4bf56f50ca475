/** Close codes of WebSockets: https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number */
export const CloseCode = {
  NORMAL: 1000,
  GOING_AWAY: 1001,
  PROTOCOL_ERROR: 1002,
  POLICY: 1008,
  FAILED: 1011,
  TRY_LATER: 1013,
} as const;
