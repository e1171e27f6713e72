// What the library of Standard Webhooks needs of fast-sha256, by Node.
const { createHmac } = require('node:crypto');

exports.hmac = (key, data) => createHmac('sha256', key).update(data).digest();
