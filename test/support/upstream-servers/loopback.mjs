// Preloaded into servers that would listen on every address.
import net from 'node:net';
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, Number(port), '127.0.0.1', ...rest);
};
