/**
 * Loaded into each of the four processes with `--import`: when the process that started them is gone, however it went,
 * the channel to it closes and this one ends as if asked to. No orphan keeps a port or a store.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
