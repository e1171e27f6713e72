// What the library of Standard Webhooks needs of @stablelib/base64, by Node.
exports.decode = (text) => Buffer.from(text, 'base64');
exports.encode = (bytes) => Buffer.from(bytes).toString('base64');
