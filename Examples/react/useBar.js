// A React hook for a bar that follows a list:
//
//     const { list, bar, follower } = useBar(springbar, { configuration });
//     return <><header ref={bar} /><main ref={list}>…</main></>;

import { useEffect, useRef, useState } from 'react';
import { follow } from 'springbar/follow';

export function useBar(springbar, options) {
  const [list, bar] = [useRef(null), useRef(null)];
  const [follower, setFollower] = useState(null);
  useEffect(() => {
    const started = follow(springbar, list.current, { bar: bar.current, ...options });
    setFollower(started);
    return () => void started.stop().catch(() => {});
    // The options are those of the session, which does not change.
  }, [springbar]);
  return { list, bar, follower };
}
