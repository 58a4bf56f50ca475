/** How a Kafka cluster is reached: members `tls { enable, ca, cert, key }`. */
export function readTls(given) {
    const [ca, cert, key] = [given.text('ca'), given.text('cert'), given.text('key')];
    return { enable: given.boolean('enable', true), ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
/** Members `sasl { mechanism, username, password }`. @throws {UsageError} */
export function readSasl(given) {
    return {
        mechanism: given.oneOf('mechanism', ['plain', 'scram-sha-256', 'scram-sha-512']),
        username: given.required('username'),
        password: given.required('password'),
    };
}
//# sourceMappingURL=kafka-access.js.map