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
    drag = springbar.EventSubmission(events=[
        springbar.BarEvent(type="panGesture", state=springbar.PanState.BEGAN, sequence=1),
        offset(-200, 2), offset(-140, 3),
    ])
    moved = api.post_events(bar.id, drag)
    assert moved.state.height == 140 and not moved.replayed
    assert api.post_events(bar.id, drag).replayed
    lifted = api.post_events(bar.id, springbar.EventSubmission(type="panGesture", state=springbar.PanState.ENDED))
    assert lifted.commands is not None and lifted.commands[0].y == -100
    move = springbar.EventSubmission(type="contentOffset", content_offset=springbar.Point(x=0, y=-90))
    brief = api.post_events(bar.id, move, results="none")
    assert brief.commands is None and brief.revision == 5
    log = api.get_events(bar.id)
    assert [event.type for event in log.events[:2]] == ["panGesture", "contentOffset"] and not log.has_more
    assert api.get_state(bar.id, at=3).state.height == 140
    changed = api.put_tracks(bar.id, '"5"', {"alpha": None, "beta": springbar.TrackChange(keyframes=ends)})
    assert list(changed.values or {}) == ["beta"]
    read = api.get_bar_with_http_info(bar.id)
    assert read.data.revision == 6 and read.headers and read.headers["ETag"] == '"6"'
    trial = springbar.BarTrial(configuration=HEIGHTS, scrollable=VIEW, events=[offset(-200, 1), offset(-150, 2)])
    applied = api.apply_events(trial)
    assert applied.id is None and [result.state.height for result in applied.results] == [200, 150]
    refuse(api, bar.id)
    assert api.delete_bar(bar.id) is None
    try:
        api.get_bar(bar.id)
        raise AssertionError("the bar still exists")
    except exceptions.NotFoundException as error:
        assert error.data.type == "/problems/bar-not-found"


def refuse(api: springbar.BarsApi, id: str) -> None:
    try:
        api.post_events(id, springbar.EventSubmission(events=[offset(0, 9)]))
        raise AssertionError("a gap was accepted")
    except exceptions.ConflictException as error:
        assert isinstance(error.data, springbar.Problem) and error.data.expected_sequence == 6, error.data


def use_photos(api: springbar.PhotosApi) -> None:
    first = api.get_photos(limit=2)
    second = api.get_photos(cursor=first.page.next_cursor, limit=2)
    ids = [photo.id for photo in first.items + second.items]
    assert len(set(ids)) == 4 and first.items[0].created_at is not None
    for picture in (
        api.get_image_variant(ids[0], "thumb"), api.get_image(ids[0], w=200), api.get_image(ids[0], w=200, fm="png"),
        api.get_placeholder(ids[0], w=16),
    ):
        assert bytes(picture).startswith(b"\x89PNG"), bytes(picture)[:20]
    assert len(bytes(api.get_image_variant(ids[0], "thumb", range="bytes=0-9"))) == 10
    assert api.get_photo(ids[0], detail="full").exif is not None


def use_motion(api: springbar.MotionApi) -> None:
    spring = api.get_spring(damping_ratio=0.8, response=0.3)
    assert spring.spring.regime == "underdamped" and spring.conventions["android"].parameters.damping_ratio == 0.8
    name = springbar.ConventionName("reactspring.tensionFriction")
    tension = api.get_spring(convention=name, tension=170.0, friction=26.0)
    assert tension.convention == springbar.ConventionID.REACTSPRING_DOT_TENSION_FRICTION
    compared = api.compare_springs(a_damping_ratio=0.8, a_response=0.3, b_damping_ratio=0.5, b_response=0.3)
    assert compared.max_distance > 0
    linear = api.get_linear(damping_ratio=0.8, response=0.3)
    assert linear.css.startswith("linear(0, ")
    css = api.get_linear_without_preload_content(damping_ratio=0.8, response=0.3, _headers={"Accept": "text/css"})
    assert css.read().decode() == linear.rule
    curve = api.get_curve(damping_ratio=0.8, response=0.3, times="0,0.1").actual_instance
    assert isinstance(curve, springbar.CurveSamples) and curve.position == [0, curve.position[1]]
    assert api.get_projection(velocity=1000).model is None
    assert api.get_projection(model="android.spline", velocity=1000).duration_ms is not None
    drag = springbar.DrawerGesture(translation_y=-100, closed_translation_y=500, is_open=False)
    assert api.move_drawer(drag).fraction == 0.2
    assert bytes(api.plot_spring(damping_ratio=0.8, response=0.3)).startswith(b"<svg")


def use_drop_in(api: springbar.DropInApi) -> None:
    photo = api.list_unsplash_photos(per_page=1)[0]
    assert api.get_unsplash_photo(photo.id).urls.small == photo.urls.small


if __name__ == "__main__":
    with springbar.ApiClient(springbar.Configuration(host=sys.argv[1])) as client:
        use_bars(springbar.BarsApi(client))
        use_photos(springbar.PhotosApi(client))
        use_motion(springbar.MotionApi(client))
        use_drop_in(springbar.DropInApi(client))
        assert springbar.OperationsApi(client).get_status().photos.library == "sandbox"
    print("done")
