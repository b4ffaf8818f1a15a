"""Uses the generated Python client against a running service; fails at the first difference.

    python python_client.py BASE_URL

The package `springbar` must be in the module search path.
"""

import sys

import springbar
from springbar import exceptions

VIEW = springbar.Scrollable(
    content_offset=springbar.Point(x=0, y=-200),
    content_size=springbar.Size(width=375, height=4800),
    frame=springbar.Rectangle(x=0, y=0, width=375, height=667),
)
HEIGHTS = springbar.BarConfiguration(compact_state_height=100, normal_state_height=200, expanded_state_height=300)


def offset(y: float, sequence: int) -> springbar.BarEvent:
    return springbar.BarEvent(type="contentOffset", content_offset=springbar.Point(x=0, y=y), sequence=sequence)


def use_bars(api: springbar.BarsApi) -> None:
    ends = [springbar.Keyframe(progress=0, value=0), springbar.Keyframe(progress=2, value=1)]
    track = springbar.Track(keyframes=ends)
    bar = api.create_bar(springbar.BarBlueprint(configuration=HEIGHTS, scrollable=VIEW, tracks={"alpha": track}))
    assert bar.state.height == 200 and bar.expires_at is not None and bar.values == {"alpha": 0.5}
    began = springbar.BarEvent(type="panGesture", state=springbar.PanState.BEGAN, sequence=1)
    drag = springbar.EventSubmission(events=[began, offset(-200, 2), offset(-140, 3)])
    moved = api.post_events(bar.id, drag)
    assert moved.state.height == 140 and not moved.replayed
    assert api.post_events(bar.id, drag).replayed
    changed = api.put_tracks(bar.id, '"3"', {"alpha": None, "beta": springbar.TrackChange(keyframes=ends)})
    assert list(changed.values or {}) == ["beta"]
    read = api.get_bar_with_http_info(bar.id)
    assert read.data.revision == 4 and read.headers and read.headers["ETag"] == '"4"'
    try:
        api.post_events(bar.id, springbar.EventSubmission(events=[offset(0, 9)]))
        raise AssertionError("a gap was accepted")
    except exceptions.ConflictException as error:
        assert isinstance(error.data, springbar.Problem) and error.data.expected_sequence == 4, error.data
    assert api.delete_bar(bar.id) is None


def use_photos(api: springbar.PhotosApi) -> None:
    first = api.get_photos(limit=2)
    second = api.get_photos(cursor=first.page.next_cursor, limit=2)
    ids = [photo.id for photo in first.items + second.items]
    assert len(set(ids)) == 4 and first.items[0].created_at is not None
    assert bytes(api.get_image(ids[0], w=200)).startswith(b"\x89PNG")
    assert len(bytes(api.get_image_variant(ids[0], "thumb", range="bytes=0-9"))) == 10


def use_motion(api: springbar.MotionApi) -> None:
    name = springbar.ConventionName("reactspring.tensionFriction")
    tension = api.get_spring(convention=name, tension=170.0, friction=26.0)
    assert tension.convention == springbar.ConventionID.REACTSPRING_DOT_TENSION_FRICTION
    linear = api.get_linear(damping_ratio=0.8, response=0.3)
    css = api.get_linear_without_preload_content(damping_ratio=0.8, response=0.3, _headers={"Accept": "text/css"})
    assert css.read().decode() == linear.rule
    curve = api.get_curve(damping_ratio=0.8, response=0.3, times="0,0.1").actual_instance
    assert isinstance(curve, springbar.CurveSamples) and curve.position == [0, curve.position[1]]


if __name__ == "__main__":
    with springbar.ApiClient(springbar.Configuration(host=sys.argv[1])) as client:
        use_bars(springbar.BarsApi(client))
        use_photos(springbar.PhotosApi(client))
        use_motion(springbar.MotionApi(client))
        # An array and not an object.
        assert springbar.DropInApi(client).list_unsplash_photos(per_page=1)[0].urls.small
    print("done")
