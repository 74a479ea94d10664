/* Nothing here is needed to read the page: it adds keys, the slider, and unfolds everything for print. */
"use strict";
(function () {
	var all = function (selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); };
	var slider = document.getElementById("slider");
	var radios = all(".rounds input");

	function show(index) {
		if (!slider || !radios[index]) { return; }
		radios[index].checked = true;
		slider.value = String(index);
		document.getElementById("slider-says").textContent = radios[index].parentNode.textContent.trim();
		slider.setAttribute("aria-valuetext", radios[index].parentNode.textContent.trim());
	}
	if (slider) {
		all(".slider, .keys").forEach(function (element) { element.hidden = false; });
		slider.addEventListener("input", function () { show(Number(slider.value)); });
		radios.forEach(function (radio, index) { radio.addEventListener("change", function () { show(index); }); });
		show(Math.max(radios.findIndex(function (radio) { return radio.checked; }), 0));
	}

	/* A link to an id opens what it is in, also in browsers that do not do so themselves. */
	function reveal() {
		var target = document.getElementById(location.hash.slice(1));
		for (var element = target; element; element = element.parentElement) {
			if (element.tagName === "DETAILS") { element.open = true; }
			if (element.classList.contains("round")) { show(0); }
		}
		if (target) { target.scrollIntoView(); }
	}
	window.addEventListener("hashchange", reveal);
	if (location.hash) { reveal(); }

	function move(step) {
		var stops = all("h2, h3, summary").filter(function (element) { return element.getClientRects().length > 0; });
		var now = stops.indexOf(document.activeElement);
		if (now < 0) {
			now = stops.findIndex(function (element) { return element.getBoundingClientRect().top > 60; });
			if (step > 0) { now -= 1; }
		}
		var next = stops[Math.min(Math.max(now + step, 0), stops.length - 1)];
		if (!next) { return; }
		if (next.tagName !== "SUMMARY") { next.setAttribute("tabindex", "-1"); }
		next.focus();
		next.scrollIntoView({ block: "center" });
	}
	document.addEventListener("keydown", function (event) {
		if (event.ctrlKey || event.metaKey || event.altKey) { return; }
		if (event.key === "j") { move(1); }
		if (event.key === "k") { move(-1); }
		if (event.key === "o") {
			var closed = all("details").some(function (element) { return !element.open; });
			all("details").forEach(function (element) { element.open = closed; });
		}
		if (slider && event.key === "]") { show(Math.min(Number(slider.value) + 1, radios.length - 1)); }
		if (slider && event.key === "[") { show(Math.max(Number(slider.value) - 1, 0)); }
	});

	/* Browsers without ::details-content print what is open. */
	var opened = [];
	window.addEventListener("beforeprint", function () {
		opened = all("details:not([open])");
		opened.forEach(function (element) { element.open = true; });
		show(0);
	});
	window.addEventListener("afterprint", function () {
		opened.forEach(function (element) { element.open = false; });
	});
})();
